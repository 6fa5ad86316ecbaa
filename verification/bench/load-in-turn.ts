import autocannon from 'autocannon'
import type { Turn } from './pages-in-turn.ts'

/** Sends different requests in turn, each connection from another one on, and prints what autocannon measured as JSON. */
if (import.meta.main) {
  const { baseUrl, headers, requests, connections, seconds } = JSON.parse(process.argv[2]!) as Turn
  let begin = 0
  const result = await autocannon({
    url: baseUrl,
    connections,
    duration: seconds,
    setupClient(client) {
      const from = (begin++ * 7) % requests.length
      const own = [...requests.slice(from), ...requests.slice(0, from)]
      client.setRequests(own.map((request) => ({ ...request, headers: { ...headers, ...request.headers } })))
    },
  })
  console.log(JSON.stringify(result))
}
