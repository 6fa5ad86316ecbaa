/** An entry of a bill of materials: a package, a file, a service … */
export interface Entry {
  /** Unique in its bill; made up if the file has none. */
  readonly ref: string
  readonly name: string
  readonly version: string
  /** The word of the format: library, file, operating-system … */
  readonly type: string
  readonly purl: string | undefined
  readonly license: string | undefined
}

/** A bill of materials, whatever its format. */
export interface Bill {
  /** The format for people: `CycloneDX 1.6`. */
  readonly format: string
  /** The subject of the bill, which is the project; undefined if it names none or several. */
  readonly subject: Entry | undefined
  /** All entries but the subject. */
  readonly entries: readonly Entry[]
  /** The dependencies of each entry, by references; one of them may have no entry. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>
  /** True if the file says that it is incomplete. */
  readonly isIncomplete: boolean
}

/** Collects entries and their relations. */
export class BillBuilder {
  readonly entries = new Map<string, Entry>()
  readonly dependencies = new Map<string, Set<string>>()

  /** Adds an entry; a reference that is taken, as duplicates have, gets a suffix, so that no entry is lost. */
  add(entry: Entry): void {
    let { ref } = entry
    const known = this.entries.get(ref)
    if (
      known !== undefined &&
      known.purl === entry.purl &&
      known.name === entry.name &&
      known.version === entry.version
    )
      return
    for (let n = 2; ref === '' || this.entries.has(ref); n++) ref = `${entry.ref}#${n}`
    this.entries.set(ref, { ...entry, ref })
  }

  depend(from: string, to: string): void {
    const known = this.dependencies.get(from)
    if (known) known.add(to)
    else this.dependencies.set(from, new Set([to]))
  }
}
