/** The program of the threads that test packages; only they load it. */
export const testThread = new URL('./thread.ts', import.meta.url)
