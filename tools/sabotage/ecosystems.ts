import { bun } from './bun.ts'
import { gomodules } from './gomodules.ts'
import { govendor } from './govendor.ts'
import { gradle } from './gradle/index.ts'
import { maven } from './maven.ts'
import { npm } from './npm.ts'
import { pip } from './pip.ts'
import { pnpm } from './pnpm.ts'
import { poetry, uv } from './python-locks.ts'
import { pipenv, pyproject } from './python-manifests.ts'
import { rubygems } from './rubygems.ts'
import { sbom } from './sbom.ts'
import { sbt } from './sbt/index.ts'
import type { Sabotage } from './spelling.ts'
import { yarn } from './yarn.ts'

/** Every ecosystem whose spellings are tried. */
export const sabotages: readonly Sabotage[] = [
  npm,
  yarn,
  pnpm,
  bun,
  pip,
  poetry,
  uv,
  pipenv,
  pyproject,
  maven,
  gradle,
  sbt,
  rubygems,
  govendor,
  gomodules,
  sbom,
]
