/** What every page needs, and the first one: they come in one download. */
export { default as common } from "./common.json";
export { default as shell } from "./shell.json";
export { default as start } from "./start.json";
