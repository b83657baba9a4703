(() => {
  "use strict";
  const frame = document.querySelector("iframe.mail");

  // The frame's own scrollbar would take a part of the width while it is measured.
  const fit = (root) => {
    root.style.overflowY = "hidden";
    frame.style.height = "0";
    const height = root.scrollHeight;
    frame.style.height = `${height}px`;
    const edges = frame.offsetHeight - root.clientHeight;
    frame.style.height = `${height + edges}px`;
  };

  addEventListener("load", () => {
    const page = frame.contentDocument;
    for (const link of page.querySelectorAll("a[target], area[target]")) link.target = "_blank";
    frame.style.resize = "none";
    new ResizeObserver(() => fit(page.documentElement)).observe(page.documentElement);
  });
})();
