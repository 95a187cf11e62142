/** What a module costs that does nothing. */
export {};
