export interface ObjectLocation {
  readonly origin: string
  readonly bucket: string
  /** Path below the bucket without leading and trailing slashes; may be empty. */
  readonly prefix: string
}

/** Letters that need no escaping in a path, so that every signer agrees on its spelling. */
const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/

/** Reads `https://HOST[:PORT]/BUCKET[/PREFIX]`. Throws with the expected form. */
export function objectLocation(value: string): ObjectLocation {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be a URL like https://HOST/BUCKET/PREFIX')
  if (url.username !== '' || url.password !== '')
    throw new Error('must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  if (url.search !== '' || url.hash !== '') throw new Error('must not have a query or a fragment')
  const [bucket = '', ...folders] = url.pathname.replace(/^\/|\/$/g, '').split('/')
  if (!BUCKET.test(bucket)) throw new Error('must name a bucket in its path, like https://HOST/BUCKET/PREFIX')
  const prefix = folders.join('/')
  if (prefix !== '' && !PREFIX.test(prefix)) throw new Error('must have a prefix of letters, digits and . _ - alone')
  return { origin: url.origin, bucket, prefix }
}

/** Returns the location as a URL without secrets. */
export function displayLocation({ origin, bucket, prefix }: ObjectLocation): string {
  return `${origin}/${bucket}${prefix === '' ? '' : `/${prefix}`}`
}
