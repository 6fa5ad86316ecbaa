import type { Ecosystem } from '../ecosystem.ts'
import { pip } from './pip/index.ts'
import { pipenv } from './pipenv/index.ts'
import { poetry } from './poetry/index.ts'
import { pyproject } from './pyproject/index.ts'
import { uv } from './uv/index.ts'

/** The package managers of Python. */
export const pythonTools: readonly Ecosystem[] = [pip, poetry, uv, pipenv, pyproject]
