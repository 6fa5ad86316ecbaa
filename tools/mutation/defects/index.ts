import type { Defect } from './defect.ts'
import { documented } from './documented.ts'
import { hiddenPackages } from './hidden-packages.ts'
import { refusedFiles } from './refused-files.ts'
import { refusedWork } from './refused-work.ts'

export const defects: readonly Defect[] = [...refusedFiles, ...hiddenPackages, ...refusedWork, ...documented]
