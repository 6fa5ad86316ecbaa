import { Button, Container, Stack } from '@mantine/core'
import { useRouteError } from 'react-router'
import { ProblemAlert } from '../ui/problem-alert.tsx'

/** A fault of the console itself: it says so instead of showing an empty page. */
export function Broken() {
  const error = useRouteError()
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <ProblemAlert
          title="The console has failed"
          details={[
            error instanceof Error ? error.message : 'Something unforeseen happened',
            'The server is not affected.',
          ]}
        />
        <Button component="a" href="/console/">
          Start again
        </Button>
      </Stack>
    </Container>
  )
}
