// The server writes days in British English.
const language = document.documentElement.lang.replace(/^en$/, "en-GB");
for (const time of document.querySelectorAll("time.moment")) {
  time.textContent = new Date(time.dateTime)
    .toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
}
const name = document.getElementById("name");
const showSave = () => {
  name.nextElementSibling.hidden = name.value === name.defaultValue && !name.hasAttribute("aria-invalid");
};
name.addEventListener("input", showSave);
addEventListener("pageshow", showSave);
