import pytest

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.persona import persona_from, persona_named, persona_of, personas
from heartfelt.records import Identity


def test_the_ready_ones_are_of_all_ages_and_both_genders_and_each_has_a_voice_and_a_look_of_its_own():
    ready = list(personas().values())
    assert len(ready) >= 8
    groups = {(each.identity.age, each.identity.gender) for each in ready}
    assert groups == {(age, gender) for age in ("young", "middle-aged", "elderly") for gender in ("male", "female")}
    assert len({each.voice.model_dump_json() for each in ready}) == len(ready)
    assert len({each.look.model_dump_json() for each in ready}) == len(ready)


def test_their_looks_are_as_old_as_their_profile_says():
    for each in personas().values():
        low, high = {"young": (18, 35), "middle-aged": (36, 62), "elderly": (63, 95)}[each.identity.age]
        assert low <= each.look.age <= high, each.name
        assert (each.look.gender >= 0.5) == (each.identity.gender == "male"), each.name


@pytest.mark.parametrize("name", ["maya", "seed:0", "seed:12345", "profile:0", "profile:8", "profile:23"])
def test_a_name_is_always_the_same_person(name: str):
    one = persona_named(name)
    assert persona_named(name) == one
    assert persona_of(one.identity) == one


def test_seeds_are_different_people():
    people = [persona_from(seed) for seed in range(20)]
    assert len({each.look.model_dump_json() for each in people}) == 20
    assert len({each.voice.model_dump_json() for each in people}) == 20
    assert {each.identity.gender for each in people} == {"male", "female"}
    assert {each.identity.age for each in people} == {"young", "middle-aged", "elderly"}


@pytest.mark.parametrize("number", range(24))
def test_every_profile_of_avamerg_is_somebody_who_fits_it(number: int):
    identity = Identity.numbered(number)
    assert identity.number == number
    persona = persona_of(identity)
    assert persona.identity.number == number
    assert (persona.look.gender >= 0.5) == (identity.gender == "male")
    assert persona.look.age >= 18


def test_profiles_are_different_people():
    people = [persona_of(Identity.numbered(number)) for number in range(24)]
    assert len({each.look.model_dump_json() for each in people}) == 24


def test_an_unknown_name_is_told_with_those_that_are_known():
    with pytest.raises(UnknownName, match="Did you mean 'maya'"):
        persona_named("maja")


@pytest.mark.parametrize("name", ["seed:", "seed:x", "seed:-1", "profile:", "profile:99"])
def test_a_number_that_is_none_is_told(name: str):
    with pytest.raises(InputError):
        persona_named(name)
