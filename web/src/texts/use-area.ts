/** For components that need an area which does not come with the first page. */
import { useEffect, useState } from "preact/hooks";
import { type Area, loadArea } from ".";

/** Whether it has come; asks for it. Without a connection it is asked for again when there is one. */
export function useArea(area: Area): boolean {
  const [come, setCome] = useState(false);
  useEffect(() => {
    let wanted = true;
    const ask = () =>
      loadArea(area).then(
        () => wanted && setCome(true),
        () => undefined,
      );
    void ask();
    addEventListener("online", ask);
    return () => {
      wanted = false;
      removeEventListener("online", ask);
    };
  }, [area]);
  return come;
}
