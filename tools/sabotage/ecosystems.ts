import { gradle } from './gradle/index.ts'
import { maven } from './maven.ts'
import { npm } from './npm.ts'
import { pip } from './pip.ts'
import type { Sabotage } from './spelling.ts'

/** Every ecosystem whose spellings are tried. */
export const sabotages: readonly Sabotage[] = [npm, pip, maven, gradle]
