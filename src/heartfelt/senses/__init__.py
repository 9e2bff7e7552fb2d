"""What can be measured of a person who speaks: words, voice and face, each with a time, a value and a reliability."""
