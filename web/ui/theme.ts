import { Alert, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const pine: MantineColorsTuple = [
  '#eef6f4',
  '#dcebe7',
  '#b5d6cd',
  '#8bc0b2',
  '#66ac9b',
  '#4a9a87',
  '#2f8573',
  '#1f6f60',
  '#165a4e',
  '#0d443b',
]

const systemFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif'

/** Fonts of the reader's own machine; nothing is fetched from elsewhere. */
export const theme = createTheme({
  colors: { pine },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: systemFont,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: systemFont, fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({ classNames: { title: 'alert-title' } }),
    // The head of a dialog is no banner of the document.
    Modal: { defaultProps: { attributes: { header: { role: 'none' } } } },
    Drawer: { defaultProps: { attributes: { header: { role: 'none' } } } },
  },
})

const filledRed = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
}

/** Reds a little stronger than the library's, for a contrast of 4.5 to 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...filledRed,
    '--mantine-color-red-outline': 'var(--mantine-color-red-9)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: { ...filledRed, '--mantine-color-error': 'var(--mantine-color-red-4)' },
})
