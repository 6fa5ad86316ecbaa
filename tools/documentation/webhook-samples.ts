/** Sample code for verifying signatures by language; a test runs the languages available. */
export const verificationSamples = [
  {
    language: 'Node.js',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the bytes as they came, before anything parses them
export function isFromGatehouse(secret, headers, body) {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest()
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`,
  },
  {
    language: 'Python',
    text: `import base64, hashlib, hmac, time

# body: the bytes as they came, before anything parses them
def is_from_gatehouse(secret, headers, body):
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    return any(
        hmac.compare_digest(base64.b64decode(one.removeprefix("v1,")), expected)
        for one in headers["webhook-signature"].split(" ")
    )`,
  },
  {
    language: 'Go',
    text: `// body: the bytes as they came, before anything parses them
func isFromGatehouse(secret string, header http.Header, body []byte) bool {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "v1,"))
		if err == nil && hmac.Equal(given, mac.Sum(nil)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'Shell',
    text: `# ID, TIME and SIGNATURE are the three headers, SECRET is the signing secret, body.json what came
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
EXPECTED=$({ printf %s "$ID.$TIME."; cat body.json; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
case " $SIGNATURE " in *" v1,$EXPECTED "*) echo genuine ;; *) echo forged ;; esac`,
  },
] as const
