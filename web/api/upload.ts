import { type Answer, type Call, type Id, noAnswer, toRequest } from './client.ts'
import { readRefusal } from './refusal.ts'

interface Upload {
  readonly file: Blob
  readonly contentType: string
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/** Sends a file as the body of an operation. Uses XMLHttpRequest, since `fetch` does not report upload progress. */
export function upload<I extends Id>(id: I, options: Call<I>, sent: Upload): Promise<Answer<I>> {
  const { url, method, headers } = toRequest(id, options)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', sent.contentType)
    request.upload.onprogress = ({ loaded }) => sent.onProgress(loaded)
    request.onerror = () => reject(noAnswer())
    request.onabort = () => reject(new DOMException('Upload canceled', 'AbortError'))
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve(JSON.parse(request.responseText) as Answer<I>)
      const id = request.getResponseHeader('snyk-request-id')
      const answer = new Response(request.responseText, {
        status: request.status,
        ...(id !== null && { headers: { 'snyk-request-id': id } }),
      })
      readRefusal(answer).then(reject, reject)
    }
    sent.signal.addEventListener('abort', () => request.abort())
    request.send(sent.file)
  })
}
