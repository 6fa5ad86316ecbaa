import { type Static, Type } from 'typebox'
import { scopeNames } from '#foundation/access/scopes.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { assertionAlgorithms, endpoints } from './endpoints.ts'
import { grantTypes } from './token-answer.ts'

const Names = Type.Array(Type.String())

/** Authorization server metadata (RFC 8414 §2). */
export const ServerMetadata = Type.Object({
  issuer: Type.String({ format: 'uri' }),
  authorization_endpoint: Type.String({ format: 'uri' }),
  token_endpoint: Type.String({ format: 'uri' }),
  jwks_uri: Type.String({ format: 'uri' }),
  scopes_supported: Names,
  response_types_supported: Names,
  response_modes_supported: Names,
  grant_types_supported: Names,
  token_endpoint_auth_methods_supported: Names,
  token_endpoint_auth_signing_alg_values_supported: Names,
  service_documentation: Type.String({ format: 'uri' }),
  revocation_endpoint: Type.String({ format: 'uri' }),
  revocation_endpoint_auth_methods_supported: Names,
  revocation_endpoint_auth_signing_alg_values_supported: Names,
  introspection_endpoint: Type.String({ format: 'uri' }),
  introspection_endpoint_auth_methods_supported: Names,
  introspection_endpoint_auth_signing_alg_values_supported: Names,
  code_challenge_methods_supported: Names,
  authorization_response_iss_parameter_supported: Type.Boolean(),
})

nameSchemas({ AuthorizationServerMetadata: ServerMetadata })

export type ServerMetadata = Static<typeof ServerMetadata>

const withSecretsOrKeys = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

export function toMetadata(baseUrl: string): ServerMetadata {
  const at = (path: string) => `${baseUrl}${path}`
  return {
    issuer: baseUrl,
    authorization_endpoint: at(endpoints.authorization),
    token_endpoint: at(endpoints.token),
    jwks_uri: at(endpoints.jwks),
    scopes_supported: [...scopeNames],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: [...withSecretsOrKeys, 'none'],
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    service_documentation: at('/docs/oauth'),
    revocation_endpoint: at(endpoints.revocation),
    revocation_endpoint_auth_methods_supported: [...withSecretsOrKeys, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    introspection_endpoint: at(endpoints.introspection),
    introspection_endpoint_auth_methods_supported: withSecretsOrKeys,
    introspection_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
