/** The one client of this page, for every component below it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "./types";

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("there is no client above this component");
  return client;
}
