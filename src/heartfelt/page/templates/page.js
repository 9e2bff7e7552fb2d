"use strict";
(() => {
  const root = document.documentElement;
  const remembered = (() => { try { return localStorage.getItem("heartfelt-theme"); } catch { return null; } })();
  if (remembered === "light" || remembered === "dark") root.dataset.theme = remembered;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("heartfelt-theme", root.dataset.theme); } catch { /* a page from a file may remember nothing */ }
  });

  const tip = document.getElementById("tip");
  const hide = () => { tip.hidden = true; };
  const show = (mark) => {
    tip.textContent = mark.dataset.tip;
    tip.hidden = false;
    const place = mark.getClientRects()[0], box = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left), root.clientWidth - box.width - 8);
    const above = place.top - box.height - 8;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above > 8 ? above : place.bottom + 8) + scrollY}px`;
  };
  for (const mark of document.querySelectorAll("mark[title]")) {
    mark.dataset.tip = mark.title;
    mark.removeAttribute("title");
    mark.setAttribute("aria-describedby", "tip");
    for (const event of ["mouseenter", "focus", "click"]) mark.addEventListener(event, () => show(mark));
    for (const event of ["mouseleave", "blur"]) mark.addEventListener(event, hide);
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
