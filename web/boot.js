// Runs before the first paint, so that nothing changes its colours after it: the theme and language chosen here before.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("capicua.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    const language = localStorage.getItem("capicua.language");
    if (language === "de" || language === "pl") root.lang = language;
  } catch {
    // A browser that keeps nothing has the system's theme.
  }
})();
