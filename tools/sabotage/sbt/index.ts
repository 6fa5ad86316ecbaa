import type { Sabotage } from '../spelling.ts'
import { askSbt } from './ask.ts'
import { hidden } from './build.ts'
import { declared } from './declared.ts'
import { projects } from './projects.ts'
import { settings } from './settings.ts'

export const sbt: Sabotage = {
  ecosystem: 'sbt',
  hidden,
  target: 'build.sbt',
  base: { 'build.sbt': 'scalaVersion := "2.13.12"\n' },
  // Files other than build files have no place in a request.
  sends: (path) => /\.(?:sbt|scala|properties)$/.test(path),
  spellings: [...declared, ...settings, ...projects],
  ask: askSbt,
}
