"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;

  // ── light and dark, as on the trace page ──
  const remembered = (() => { try { return localStorage.getItem("heartfelt-theme"); } catch { return null; } })();
  if (remembered === "light" || remembered === "dark") root.dataset.theme = remembered;
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("heartfelt-theme", root.dataset.theme); } catch { /* then it is not remembered */ }
  });

  // ── asking the server ──
  const home = location.pathname.startsWith("/r/") ? location.pathname.replace(/\/+$/, "") : null;
  let about = null, now = null, busy = false;

  const ask = async (path, body) => {
    const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let answer;
    try { answer = await fetch(path, { ...sent, credentials: "same-origin" }); } catch {
      throw new Error("The server of this page does not answer. What you marked before is safe: try again in a moment.");
    }
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw Object.assign(new Error(told.error || "Something went wrong. Please try again."), { status: answer.status });
    return told;
  };

  const warn = (text) => {
    $("alert").textContent = text;
    $("alert").hidden = !text;
    if (text) $("alert").scrollIntoView({ block: "nearest" });
  };
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    if (className && className.startsWith("words")) node.dir = "auto"; // replies may be in any language
    return node;
  };
  const show = (id) => { for (const each of document.querySelectorAll(".screen")) each.hidden = each.id !== id; };
  const ab = () => about.mode === "ab";

  // ── the first screen ──
  const welcome = () => {
    const many = about.screens === 1 ? "one screen" : `${about.screens} screens`;
    $("welcome-eyebrow").textContent = `${many}, about ${about.minutes} minute${about.minutes === 1 ? "" : "s"}`;
    $("welcome-title").textContent = ab() ? "Which reply would you rather get?" : "How do these replies feel to you?";
    $("welcome-lead").textContent = ab()
      ? "You will read short conversations, each with two replies. Say which of the two is better, or that there is no real difference. You are not told who wrote them, and there is no right answer: trust your impression."
      : "You will read short conversations, each with one reply. Mark the reply from 1 to 5. You are not told who wrote it, and there is no right answer: trust your impression.";
    $("welcome-criteria").replaceChildren(...about.criteria.map((each) => {
      const line = make("div");
      line.append(make("dt", "", each.title), make("dd", "", each.question));
      return line;
    }));
    if (about.back) {
      $("back-name").textContent = about.back.name;
      $("back-link").href = about.back.link;
      $("back").hidden = false;
      $("name-label").textContent = "Somebody else? Your name or initials";
      $("begin-button").className = "plain";
    }
    $("begin").hidden = about.full;
    if (about.full && !about.back) warn("All places for raters are taken. Thank you for wanting to help.");
    show("welcome");
  };
  $("begin").addEventListener("submit", async (event) => {
    event.preventDefault();
    warn("");
    try { location.href = (await ask("/begin", { name: $("name").value })).link; } catch (error) { warn(error.message); $("name").focus(); }
  });

  // ── one thing to rate ──
  const scale = () => (ab()
    ? [["first", "First"], ["tie", "About the same"], ["second", "Second"]]
    : [1, 2, 3, 4, 5].map((mark) => [mark, String(mark)]));

  const question = (each) => {
    const set = make("fieldset");
    set.dataset.name = each.name;
    const legend = make("legend");
    legend.append(make("b", "", each.title), make("span", "", each.question));
    const choices = make("div", ab() ? "scale three" : "scale");
    for (const [value, text] of scale()) {
      const label = make("label"), input = make("input");
      Object.assign(input, { type: "radio", name: each.name, value, checked: now.marks[each.name] === value });
      const end = value === 1 ? each.low : value === 5 ? each.high : "";
      if (end) input.setAttribute("aria-label", `${value}, ${end}`);
      label.append(input, make("span", "", text));
      choices.append(label);
    }
    set.append(legend, choices);
    if (!ab() && each.low) {
      const ends = make("p", "ends");
      ends.setAttribute("aria-hidden", "true");
      ends.append(make("span", "", each.low), make("span", "", each.high));
      set.append(ends);
    }
    return set;
  };

  const reply = (text, place) => {
    const box = make("div", "reply");
    const who = ab() ? `${place === 0 ? "First" : "Second"} reply` : now.listener;
    box.append(make("p", "who", who), make("p", text.length > 420 ? "words long" : "words", text));
    if (ab()) box.addEventListener("click", () => {
      if (String(getSelection())) return; // somebody copies or reads along
      pick(active(), place === 0 ? "first" : "second");
    });
    return box;
  };

  const bubble = (turn) => {
    const item = make("li", turn.who === now.listener ? "bubble mine" : "bubble");
    item.append(make("p", "who", turn.who), make("p", "words", turn.text));
    return item;
  };

  const draw = (said) => {
    const count = `${now.done} of ${now.of}`;
    $("progress").hidden = false;
    $("count").textContent = count;
    $("bar").setAttribute("aria-valuemax", now.of);
    $("bar").setAttribute("aria-valuenow", now.done);
    $("bar").firstElementChild.style.width = `${100 * now.done / now.of}%`;
    $("said").textContent = said ? `${said} ${count}.` : "";
    if (now.finished) return thank();
    $("rating").classList.toggle("pair", ab());
    $("rating-title").textContent = ab() ? `Two replies, number ${now.done + 1} of ${now.of}` : `Reply ${now.done + 1} of ${now.of}`;
    $("reply-eyebrow").textContent = ab() ? "Two replies" : "The reply";
    $("talk").replaceChildren(...now.turns.map(bubble));
    $("replies").replaceChildren(...now.replies.map(reply));
    $("questions").replaceChildren(...about.criteria.map(question));
    $("undo").disabled = !now.can_undo;
    keys();
    show("rating");
    weigh();
    $("rating").classList.remove("arriving");
    void $("rating").offsetWidth; // so that the animation starts again
    $("rating").classList.add("arriving");
    scrollTo(0, 0);
    $("heard").scrollTop = $("heard").scrollHeight; // of a long conversation, what is answered
    $("rating-title").focus({ preventScroll: true });
  };

  const thank = () => {
    $("thanks-title").textContent = `Thank you, ${now.name}.`;
    const what = ab() ? (now.of === 1 ? "pair of replies" : "pairs of replies") : (now.of === 1 ? "reply" : "replies");
    $("thanks-lead").textContent = `You rated ${now.of} ${what}. Everything is saved, and you can close this page.`;
    $("thanks-undo").hidden = !now.can_undo;
    show("thanks");
    $("thanks-title").focus();
  };

  const keys = () => {
    const hints = ab() ? [["1", "first"], ["2", "second"], ["0", "the same"]] : [["1–5", "mark"]];
    if (about.criteria.length > 1) hints.push(["↑ ↓", "question"]);
    hints.push(["Enter", "next"], ["U", "back"]);
    $("keys").replaceChildren(...hints.flatMap(([key, what], i) => [...(i ? [" · "] : []), make("kbd", "", key), ` ${what}`]));
  };

  // ── marking ──
  const sets = () => [...$("questions").children];
  const marked = (set) => set.querySelector("input:checked");
  /** The question that a key is meant for: the one in focus, else the first without a mark, else the last. */
  const active = () => {
    const all = sets(), focused = document.activeElement && document.activeElement.closest("fieldset");
    return focused || all.find((set) => !marked(set)) || all[all.length - 1];
  };
  const focus = (set) => {
    (marked(set) || set.querySelector("input")).focus({ preventScroll: true });
    set.scrollIntoView({ block: "nearest" });
  };
  const weigh = () => {
    $("next").setAttribute("aria-disabled", String(!sets().every(marked)));
    if (!ab()) return;
    const single = sets().length === 1 && marked(sets()[0]) ? marked(sets()[0]).value : "";
    [...$("replies").children].forEach((box, i) => box.classList.toggle("chosen", single === (i === 0 ? "first" : "second")));
  };
  const pick = (set, value) => {
    const input = [...set.querySelectorAll("input")].find((each) => each.value === String(value));
    if (!input) return;
    input.checked = true;
    set.classList.remove("missing");
    weigh();
    const next = sets().find((each) => !marked(each));
    if (next) focus(next); else input.focus();
  };
  const step = (set, by) => {
    const all = sets(), place = all.indexOf(set) + by;
    if (all[place]) focus(all[place]);
  };
  $("questions").addEventListener("change", (event) => { event.target.closest("fieldset").classList.remove("missing"); weigh(); });

  const send = async (path, body, said) => {
    if (busy) return;
    busy = true;
    warn("");
    try { now = await ask(home + path, body); draw(said); } catch (error) {
      if (error.status === 409) { now = await ask(`${home}/now`); draw(); } else warn(error.message);
    } finally { busy = false; }
  };
  const submit = () => {
    const missing = sets().filter((set) => !marked(set));
    for (const set of missing) set.classList.add("missing");
    if (missing.length) {
      $("said").textContent = "Not every question has a mark yet.";
      return focus(missing[0]);
    }
    const value = (set) => (ab() ? marked(set).value : Number(marked(set).value));
    return send("/mark", { ticket: now.ticket, marks: Object.fromEntries(sets().map((set) => [set.dataset.name, value(set)])) }, "Saved.");
  };
  const undo = () => { if (now && now.can_undo) send("/undo", {}, "Taken back."); };
  $("marks").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  $("undo").addEventListener("click", undo);
  $("thanks-undo").addEventListener("click", undo);

  addEventListener("keydown", (event) => {
    if ($("rating").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest("button, a, input[type=text]")) return;
    const places = ab() ? { 1: "first", 2: "second", 0: "tie", t: "tie" } : { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 };
    const key = event.key.toLowerCase(), arrow = key.startsWith("arrow"), inside = event.target.closest && event.target.closest("fieldset");
    const upright = { arrowup: -1, arrowdown: 1 }[key], side = { arrowleft: "first", arrowright: "second" }[key];
    const act = key in places ? () => pick(active(), places[key])
      : key === "enter" ? submit
      : key === "u" ? undo
      : arrow && ab() && side && !marked(active()) ? () => pick(active(), side)
      : arrow && !inside && !event.target.closest("#heard") ? () => focus(active())
      : upright && inside && sets().length > 1 ? () => step(inside, upright)
      : null; // within a scale, left and right are the browser's own
    if (!act) return;
    event.preventDefault();
    act();
  });

  // ── begin ──
  (async () => {
    try {
      about = await ask("/about");
      if (!home) return welcome();
      now = await ask(`${home}/now`);
      draw();
    } catch (error) {
      if (error.status === 404) { show("lost"); $("lost-title").focus(); } else warn(error.message);
    }
  })();
})();
