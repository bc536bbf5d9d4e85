"use strict";
(function () {
  var root = document.documentElement;
  var titles = { zh: "广东麻将模拟报告", en: "Guangdong mahjong, simulated" };

  function keep(name, value) {
    try { localStorage.setItem("gdmj-" + name, value); } catch (error) { /* private window or file */ }
  }
  function kept(name) {
    try { return localStorage.getItem("gdmj-" + name); } catch (error) { return null; }
  }
  function press(name, value) {
    document.querySelectorAll("button[data-" + name + "]").forEach(function (button) {
      button.setAttribute("aria-pressed", String(button.dataset[name] === value));
    });
  }
  function show(language) {
    root.dataset.language = language;
    root.lang = language === "zh" ? "zh-Hans" : "en";
    document.title = titles[language];
    press("show", language);
  }
  function light(theme) {
    if (theme === "auto") { delete root.dataset.theme; } else { root.dataset.theme = theme; }
    press("light", theme);
  }

  var asked = /[?#&]lang=(zh|en)\b/.exec(location.href);
  var language = asked ? asked[1] : kept("language");
  if (language !== "zh" && language !== "en") { language = /^zh/i.test(navigator.language || "") ? "zh" : "en"; }
  var theme = kept("theme");
  if (theme !== "light" && theme !== "dark") { theme = "auto"; }
  show(language);
  light(theme);

  // A cell's number, else its text in the language shown; what has neither stands last whichever way.
  function key(row, column) {
    var cell = row.cells[column];
    if (cell.dataset.order !== undefined) { return Number(cell.dataset.order); }
    var text = (cell.querySelector("." + root.dataset.language) || cell).textContent.trim();
    return text === "–" || text === "" ? null : text;
  }
  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") { return a - b; }
    if (typeof a !== typeof b) { return typeof a === "number" ? -1 : 1; }
    return a.localeCompare(b, root.lang);
  }
  function sort(head, column) {
    var body = head.closest("table").tBodies[0];
    var next = { none: "descending", descending: "ascending", ascending: "none" }[head.getAttribute("aria-sort")];
    head.parentElement.querySelectorAll("th").forEach(function (other) { other.setAttribute("aria-sort", "none"); });
    head.setAttribute("aria-sort", next);
    var sign = next === "descending" ? -1 : 1;
    var rows = Array.from(body.rows);
    rows.forEach(function (row, i) { if (row.dataset.place === undefined) { row.dataset.place = String(i); } });
    var keys = new Map(rows.map(function (row) { return [row, key(row, column)]; }));
    rows.sort(function (a, b) {
      var first = keys.get(a), second = keys.get(b), places = a.dataset.place - b.dataset.place;
      if (next === "none") { return places; }
      if (first === null || second === null) { return (first === null) - (second === null) || places; }
      return sign * compare(first, second) || places;
    });
    rows.forEach(function (row) { body.appendChild(row); });
  }
  function addSorting(table) {
    if (table.tBodies[0].rows.length < 2) { return; }
    Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () { sort(head, column); });
    });
  }
  // What is too wide can be scrolled with the keyboard; what is not is no stop on the way.
  function addScrolling() {
    document.querySelectorAll(".scroll, pre, figure.wide").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth) { box.tabIndex = 0; } else { box.removeAttribute("tabindex"); }
    });
  }

  document.addEventListener("DOMContentLoaded", function () {
    press("show", language);
    press("light", theme);
    document.querySelectorAll("table.data").forEach(addSorting);
    document.querySelectorAll("details").forEach(function (one) { one.addEventListener("toggle", addScrolling); });
    addScrolling();
  });
  window.addEventListener("resize", addScrolling);
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-show], button[data-light]");
    if (!button) { return; }
    if (button.dataset.show) {
      show(button.dataset.show);
      keep("language", button.dataset.show);
      addScrolling();
    } else {
      light(button.dataset.light);
      keep("theme", button.dataset.light);
    }
  });
})();
