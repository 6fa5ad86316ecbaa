import type { EcosystemFiles } from './ecosystem-files.ts'

/** The files of the ecosystems that declare them as data. A kind of file is tried in this order. */
export const fileLists: readonly EcosystemFiles[] = []
