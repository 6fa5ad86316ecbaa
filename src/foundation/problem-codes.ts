/** A kind of refusal: its meaning and its remedy, as documented. */
interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly remedy: string
}

function kind(status: number, title: string, remedy: string): ProblemKind {
  return { status, title, remedy }
}

/** Every `code` of error answers. Stable: programs may compare them. */
export const problemCodes = {
  'invalid-request': kind(
    400,
    'The request does not match its schema',
    'Compare the member named in `source` with the operation in the API documentation.',
  ),
  'unknown-parameter': kind(
    400,
    'Unknown query parameter',
    'Remove the parameter named in `source.parameter`, or correct its spelling.',
  ),
  'cursor-invalid': kind(
    400,
    'A page cursor cannot be used',
    'Take cursors only from the `links` of an earlier answer of the same list with the same filters, and send one of `starting_after` and `ending_before`.',
  ),
  'version-missing': kind(
    400,
    'The version parameter is missing',
    'Add `?version=YYYY-MM-DD`, for example the date you wrote your client.',
  ),
  'version-invalid': kind(
    400,
    'The version parameter is invalid',
    'Send a date such as 2024-10-15, optionally with ~experimental or ~beta.',
  ),
  'version-in-future': kind(400, 'The version is later than today', 'Send today’s date (UTC) or an earlier one.'),
  'version-not-found': kind(
    404,
    'The operation did not exist at that version',
    'Send a later date, or a lower stability such as ~experimental.',
  ),
  'body-unreadable': kind(
    400,
    'The body is invalid',
    'Send well-formed JSON in UTF-8; with `content-encoding: gzip` send gzip.',
  ),
  'manifest-unreadable': kind(
    400,
    'Invalid manifest',
    'The detail names the file and the position. Send the file as the package manager writes it, with its encoding.',
  ),
  'idempotency-key-invalid': kind(
    400,
    'Invalid Idempotency-Key',
    'Send 1 to 255 visible ASCII characters, for example a UUID.',
  ),
  'invalid-client': kind(
    401,
    'The OAuth client could not be authenticated',
    'Send the client id with one of its valid secrets (HTTP Basic or in the form), or a signed assertion; a public app sends its id alone.',
  ),
  'invalid-grant': kind(
    400,
    'Invalid code or refresh token',
    'Send the user through authorization again; codes and refresh tokens work once, and only for the client they were issued to.',
  ),
  'invalid-scope': kind(
    400,
    'None of the requested scopes can be granted',
    'Request scopes that the app was registered with, or none to get all of them.',
  ),
  'unauthorized-client': kind(
    400,
    'The client may not use this grant',
    'Apps that users authorize take `authorization_code` and `refresh_token`; installs and service accounts take `client_credentials`.',
  ),
  'unsupported-grant-type': kind(
    400,
    'Unsupported grant type',
    'Send `authorization_code`, `refresh_token` or `client_credentials` as `grant_type`.',
  ),
  unauthenticated: kind(
    401,
    'The credential is missing or invalid',
    'Send `Authorization: token KEY` or `Authorization: Bearer TOKEN` with a credential that exists, has not expired and is used from an allowed network.',
  ),
  forbidden: kind(
    403,
    'The credential lacks a permission',
    'Ask an administrator for a role with the permission named in the detail.',
  ),
  'in-person-only': kind(
    403,
    'Only users can do this',
    'Use an API key of the user; service accounts, and apps that act for users, cannot manage users’ own credentials.',
  ),
  'foreign-page': kind(
    403,
    'Not sent by the console',
    'Send `Authorization: token KEY` instead of a session cookie. In the console, reload the page.',
  ),
  'sign-in-failed': kind(
    403,
    'Sign-in failed',
    'Check the e-mail address, the password and the second factor. An administrator can create a link to set a new password, and reset second factors.',
  ),
  'recent-sign-in-required': kind(
    403,
    'A recent sign-in is required',
    'Sign in to the console again, then repeat the change within ten minutes. API keys cannot change second factors.',
  ),
  'not-found': kind(
    404,
    'Not found',
    'Check the identifier, and that the credential belongs to a member of the organization or group.',
  ),
  'route-not-found': kind(404, 'Unknown operation', 'Compare method and path with the API documentation.'),
  'package-not-found': kind(
    404,
    'The package or version is not in the registry',
    'Check the spelling, or use a server that can reach the registry of the package.',
  ),
  'method-not-allowed': kind(
    405,
    'The path does not support this method',
    'Use one of the methods named in the `allow` header.',
  ),
  'not-acceptable': kind(406, 'Unsupported media type in Accept', 'Accept the media type named in the detail.'),
  conflict: kind(409, 'The change conflicts with the current state', 'Read the resource again, then retry.'),
  'name-taken': kind(409, 'The name is in use', 'Choose another name; names are unique per owner.'),
  'idempotency-key-reused': kind(
    409,
    'The Idempotency-Key was used for another request',
    'Send a new key for a new request; send the same body to repeat one.',
  ),
  'in-use': kind(409, 'The resource is still in use', 'Remove what the detail names first.'),
  'request-timeout': kind(
    408,
    'The body took too long to arrive',
    'Repeat the request on a faster connection, or send less.',
  ),
  'too-large': kind(
    413,
    'The body is larger than this server accepts',
    'Send less, or raise the limit that the detail names.',
  ),
  'unsupported-media-type': kind(
    415,
    'Unsupported media type or encoding of the body',
    'Send the content type named in the detail.',
  ),
  unprocessable: kind(422, 'The request is valid but cannot be processed', 'The detail says which rule it breaks.'),
  'test-too-expensive': kind(
    422,
    'The test exceeds a limit',
    'Send a smaller project, or raise the limit named in the detail.',
  ),
  'integration-unsupported': kind(422, 'Unsupported kind of integration', 'The detail names the supported kinds.'),
  'repository-unreadable': kind(
    422,
    'The repository does not exist or cannot be read',
    'Check the target and the branch, and that the integration’s credentials may read it.',
  ),
  'repository-too-large': kind(
    422,
    'The repository exceeds a limit',
    'Name the files to import, or raise the limit named in the detail.',
  ),
  'rate-limited': kind(
    429,
    'Too many requests with this credential, or from this address',
    'Wait for the seconds in `retry-after`.',
  ),
  internal: kind(500, 'The server failed', 'Repeat the request; if it fails again, give the operator the request id.'),
  'client-closed': kind(
    499,
    'The client closed the connection before the answer',
    'The change may have been made. Repeat the request with its Idempotency-Key to get the answer.',
  ),
  'registry-unreachable': kind(
    502,
    'A package registry did not respond',
    'Repeat later, send a lockfile, or accept a partial result where the operation offers it.',
  ),
  'repository-unreachable': kind(
    502,
    'The repository source did not respond',
    'Repeat later, and test the connection of the integration.',
  ),
  unavailable: kind(503, 'The server cannot do this now', 'Repeat after the seconds in `retry-after`.'),
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problemCodes
