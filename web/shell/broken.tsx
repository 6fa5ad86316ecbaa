import { Button, Stack } from '@mantine/core'
import { consolePath } from '../navigation/base-path.ts'
import { NotLoaded } from '../navigation/lazy.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'

/** Shows an error of the console itself instead of an empty page. */
export function Broken({ error }: { error: unknown }) {
  return (
    <Stack align="flex-start" className="narrow">
      {error instanceof NotLoaded ? <Outdated /> : <Failed error={error} />}
    </Stack>
  )
}

/** Shown after a server upgrade, which removed parts of the open console. */
function Outdated() {
  return (
    <>
      <ProblemAlert
        title="This page could not be loaded"
        details={['The server was upgraded since you opened the console, or is unreachable.']}
      />
      <Button onClick={() => location.reload()}>Reload</Button>
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  return (
    <>
      <ProblemAlert
        title="The console failed"
        details={[error instanceof Error ? error.message : 'Unexpected error', 'The server is not affected.']}
      />
      <Button component="a" href={`${consolePath}/`}>
        Start again
      </Button>
    </>
  )
}
