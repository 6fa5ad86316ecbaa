/** A reference of Conan: `name/version@user/channel#revision%timestamp`. */
export interface ConanReference {
  readonly name: string
  /** Without the brackets of a range. */
  readonly range: string
  /** `user/channel` of a recipe that is not of ConanCenter. */
  readonly channel: string | undefined
}

const REFERENCE = /^([a-z0-9_][a-z0-9_+.-]{0,100})\/(?:\[([^\]]*)\]|([^@#%[\]\s]+))(?:@([^#%\s]*))?(?:[#%]\S*)?$/i

/** Parses a reference; undefined for other texts. */
export function parseReference(text: string): ConanReference | undefined {
  const [, name, range, version, channel] = REFERENCE.exec(text) ?? []
  if (name === undefined) return undefined
  return { name, range: range ?? version!, channel: /^[^/_]/.test(channel ?? '') ? channel : undefined }
}
