/** Signs a request with AWS Signature Version 4. Returns all its headers. */
export type RequestSigner = (request: {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}) => Promise<Record<string, string>>

export interface SigningKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export function createSigner({ accessKeyId, secretAccessKey, region }: SigningKey): RequestSigner {
  const cache = new Map<string, ArrayBuffer>()
  return async ({ method, url, headers }) => {
    const { AwsV4Signer } = await import('aws4fetch')
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache,
    })
    return Object.fromEntries((await signer.sign()).headers.entries())
  }
}
