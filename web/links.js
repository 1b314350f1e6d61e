// Which other pages whoever comes may use; the links to the others stay hidden.

import { byId } from "./dom.js";
import { fetched } from "./signin.js";

/** Shows the links; says nothing where the server is away, which the page itself will notice. */
export async function links() {
  try {
    const told = await (await fetched("/readyz", { cache: "no-store" }, true)).json();
    open(told);
  } catch {
    // as above
  }
}

/** The same from what /readyz told. */
export function open(told) {
  for (const name of ["audits", "writes"]) if (byId(name)) byId(name).hidden = !told?.[name];
}
