import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../navigation/paths.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page exists at this address.">
        <Anchor component={Link} to={paths.overview}>
          Go to overview
        </Anchor>
      </Empty>
    </Page>
  )
}
