import { Container, Skeleton } from '@mantine/core'

/** While the program of the first page is on its way. */
export function FirstLoad() {
  return (
    <Container size="sm" py="xl">
      <Skeleton height={180} aria-label="Loading" />
    </Container>
  )
}
