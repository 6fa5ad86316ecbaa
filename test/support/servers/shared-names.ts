/** Variables with which a run of many test files passes shared parts to its processes. */

/** Set where the processes keep their browser for the next file. */
export const KEEPS_BROWSER = 'TEST_KEEPS_BROWSER'
/** Set where the console was built for the whole run. */
export const CONSOLE_IS_BUILT = 'TEST_CONSOLE_IS_BUILT'
/** A file with the templates of a server's data, one for each engine. */
export const RUN_TEMPLATES = 'TEST_TEMPLATES'
/** A folder with the built program, which starts in half the time. */
export const BUILT_PROGRAM = 'TEST_PROGRAM'
/** The file in that folder with the paths of the program's modules. */
export const MODULES_OF_PROGRAM = 'modules.json'
