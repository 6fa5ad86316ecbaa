import type { Extension } from './scope.ts'
import type { Key, Place, Value } from './values.ts'

/** A call argument with its name. */
export interface Given {
  readonly name: string | undefined
  readonly value: Value
}

/** The build's callbacks for calls. */
export interface Deps {
  /** Records an assumption as a sentence. */
  assume(sentence: string): void
  /** Returns a setting's value in the evaluated project. */
  settingValue(key: Key, place: Place): Value
  /** Returns an extension method defined in the sent files. */
  findExtension(name: string): Extension | undefined
}
