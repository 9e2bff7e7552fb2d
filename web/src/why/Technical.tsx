import { createContext, useContext } from "react";

/** Whether whoever reads works on the program: then parts have the names that they have in it. */
export const Technical = createContext(false);

/** What the program calls something, for those who look for it there. */
export const Code = ({ name }: { name: string }) => useContext(Technical) && <code>{name}</code>;
