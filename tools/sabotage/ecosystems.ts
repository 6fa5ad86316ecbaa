import { govendor } from './govendor.ts'
import { gradle } from './gradle/index.ts'
import { maven } from './maven.ts'
import { npm } from './npm.ts'
import { pip } from './pip.ts'
import { rubygems } from './rubygems.ts'
import { sbt } from './sbt/index.ts'
import type { Sabotage } from './spelling.ts'
import { yarn } from './yarn.ts'

/** Every ecosystem whose spellings are tried. */
export const sabotages: readonly Sabotage[] = [npm, yarn, pip, maven, gradle, sbt, rubygems, govendor]
