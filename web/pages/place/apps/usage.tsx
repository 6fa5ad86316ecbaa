import { Anchor, NativeSelect, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import type { App, ServerMetadata } from '../../../api/resources.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { serverPaths } from '../../../navigation/paths.ts'
import { CopyableCode } from '../../../ui/copyable-code.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import { useServerMetadata } from './server-metadata.ts'
import { pkceCommands, toAuthorizeUrl, toClientCredentialsRequest, toExchangeRequest } from './snippets.ts'

export function AppUsage({ app }: { app: App }) {
  const metadata = useServerMetadata()
  return (
    <Section title="Get tokens">
      {metadata.isPending && <Skeleton height={160} />}
      <ReadingAlert title="Could not load the server’s addresses" reading={metadata} />
      {metadata.data && <Steps app={app} metadata={metadata.data} />}
      <Text size="sm">
        Refreshing, revoking and errors:{' '}
        <Anchor href={serverPaths.oauthGuide} target="_blank" underline="always">
          Apps and access tokens
        </Anchor>
        .
      </Text>
    </Section>
  )
}

function Steps({ app, metadata }: { app: App; metadata: ServerMetadata }) {
  const { client_id: clientId, redirect_uris: redirectUris = [], is_confidential, scopes } = app.attributes
  const [chosen, setChosen] = useState<string>()
  const redirectUri = redirectUris.find((uri) => uri === chosen) ?? redirectUris[0]
  if (clientId === undefined || redirectUri === undefined) {
    return (
      <CopyableCode label="Request an access token with an install’s client id and secret">
        {toClientCredentialsRequest(metadata.token_endpoint)}
      </CopyableCode>
    )
  }
  const client = { clientId, redirectUri, scopes, isConfidential: is_confidential }
  return (
    <>
      {redirectUris.length > 1 && (
        <NativeSelect
          label="Redirect URI"
          data={[...redirectUris]}
          {...textField(redirectUri, setChosen)}
          maw="36rem"
        />
      )}
      {!client.isConfidential && (
        <CopyableCode label="Create a PKCE verifier and its challenge">{pkceCommands}</CopyableCode>
      )}
      <CopyableCode label="Authorize URL">{toAuthorizeUrl(metadata.authorization_endpoint, client)}</CopyableCode>
      <Text size="sm">
        Send the user’s browser there. Replace {client.isConfidential ? 'STATE' : 'STATE and CODE_CHALLENGE'}: use a new
        value for each user. The browser returns with a code, the state and the issuer; verify both.
      </Text>
      <CopyableCode label="Exchange the code, within one minute">
        {toExchangeRequest(metadata.token_endpoint, client)}
      </CopyableCode>
    </>
  )
}
