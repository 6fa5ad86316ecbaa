/** The program of test threads, which only they load. */
export const testThread = new URL('./thread.ts', import.meta.url)
