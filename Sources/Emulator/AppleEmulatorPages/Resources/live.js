(() => {
  "use strict";
  // The milliseconds between two requests; longer while the port does not respond.
  const pause = 1000;
  const longPause = 5000;
  const news = document.getElementById("news");
  const texts = new Map();

  const lists = (root) => root.querySelectorAll("[data-parts]");
  for (const list of lists(document)) {
    for (const part of list.children) texts.set(part.id, part.outerHTML);
  }

  const adopt = (part) => document.importNode(part, true);

  const replace = (mine, part) => {
    const copy = adopt(part);
    const open = [...mine.querySelectorAll("details")].map((details) => details.open);
    copy.querySelectorAll("details").forEach((details, index) => {
      details.open = open[index] ?? false;
    });
    mine.replaceWith(copy);
    return copy;
  };

  const insert = (list, part, before) => {
    const copy = adopt(part);
    copy.classList.add("fresh");
    list.insertBefore(copy, before ? before.nextSibling : list.firstChild);
    const label = copy.querySelector(".label, .name");
    if (label) news.textContent = label.textContent;
    return copy;
  };

  const bringUpToDate = (list, latest) => {
    let before = null;
    for (const part of latest.children) {
      const mine = document.getElementById(part.id);
      const text = part.outerHTML;
      if (!mine) before = insert(list, part, before);
      else if (texts.get(part.id) === text) before = mine;
      else before = replace(mine, part);
      texts.set(part.id, text);
    }
    const ids = new Set([...latest.children].map((part) => part.id));
    for (const mine of [...list.children]) if (!ids.has(mine.id)) mine.remove();
    const none = document.getElementById("none");
    if (none) none.hidden = list.children.length > 0;
  };

  const look = async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.status === 404) {
      news.textContent = news.dataset.lost ?? "";
      news.className = "lost";
      return false;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    const latest = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const list of lists(document)) {
      const other = latest.getElementById(list.id);
      if (other) bringUpToDate(list, other);
    }
    document.title = latest.title;
    return true;
  };

  const run = async () => {
    let wait = pause;
    if (!document.hidden) {
      try {
        if (!(await look())) return;
      } catch {
        wait = longPause;
      }
    }
    setTimeout(run, wait);
  };
  setTimeout(run, pause);
})();
