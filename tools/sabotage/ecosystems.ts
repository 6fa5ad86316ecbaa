import { npm } from './npm.ts'
import type { Sabotage } from './spelling.ts'

/** Every ecosystem whose spellings are tried. */
export const sabotages: readonly Sabotage[] = [npm]
