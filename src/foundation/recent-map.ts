/** A map with a limit on the total weight of its values, which evicts the least recently used ones. */
export class RecentMap<Value> {
  readonly #maxWeight: number
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>()
  #weight = 0

  constructor({ maxWeight }: { readonly maxWeight: number }) {
    this.#maxWeight = maxWeight
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A map iterates its keys in the order of their insertion.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Ignores a value that alone would take more than a sixteenth of the limit. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.#maxWeight / 16) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}
