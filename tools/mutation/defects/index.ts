import type { Defect } from './defect.ts'
import { documented } from './documented.ts'
import { hiddenPackages } from './hidden-packages.ts'
import { lostBounds } from './lost-bounds.ts'
import { partlyRead } from './partly-read.ts'
import { refusedFiles } from './refused-files.ts'
import { refusedWork } from './refused-work.ts'

export const defects: readonly Defect[] = [
  ...refusedFiles,
  ...hiddenPackages,
  ...partlyRead,
  ...refusedWork,
  ...lostBounds,
  ...documented,
]
