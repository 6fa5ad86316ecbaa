import { Container, Skeleton } from '@mantine/core'

/** While the program of the first page is on its way. */
export function FirstLoad() {
  return (
    <Container component="main" size="sm" py="xl">
      <Skeleton height={180} role="status" aria-label="Loading" />
    </Container>
  )
}
