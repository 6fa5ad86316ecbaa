/** A registry answer in the cache, reduced to the parts that we need. */
export interface CachedAnswer {
  /** Undefined for "no such package". */
  readonly text: string | undefined
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
}

export interface NewAnswer extends Omit<CachedAnswer, 'validatedAt'> {
  readonly url: string
}

/** A cache of registry answers in the database, limited in size: the least recently used are evicted. */
export interface RegistryCache {
  find(key: string): Promise<CachedAnswer | undefined>
  save(key: string, answer: NewAnswer): Promise<void>
  /** Records that the registry confirmed the cached answer. */
  confirm(key: string): Promise<void>
}
