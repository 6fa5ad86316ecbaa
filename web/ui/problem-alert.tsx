import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core'
import { ErrorIcon } from './icons.tsx'

interface Props {
  readonly title: string
  readonly details: readonly string[]
  readonly code?: string | undefined
  /** Link to the explanation of the code. */
  readonly href?: string | undefined
  readonly requestId?: string | undefined
  readonly onRetry?: (() => void) | undefined
}

/** Shows a refusal with its reason, an explanation link, and the id for the server's log. */
export function ProblemAlert({ title, details, code, href, requestId, onRetry }: Props) {
  return (
    <Alert color="red" icon={<ErrorIcon />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        {details.length === 1 ? (
          <Text size="sm" className="breakable">
            {details[0]}
          </Text>
        ) : (
          <ul className="list">
            {details.map((detail) => (
              <li key={detail} className="breakable">
                {detail}
              </li>
            ))}
          </ul>
        )}
        {code !== undefined && (
          <Text size="sm">
            Code{' '}
            {href === undefined ? (
              <Code>{code}</Code>
            ) : (
              <Anchor href={href} target="_blank" size="sm" c="inherit" underline="always">
                {code}
              </Anchor>
            )}
            {requestId !== undefined && (
              <>
                , request <Code>{requestId}</Code>
              </>
            )}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
