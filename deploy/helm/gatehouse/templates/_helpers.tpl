{{- define "gatehouse.name" -}}
{{- $full := .Release.Name -}}
{{- if not (contains .Chart.Name .Release.Name) }}{{ $full = printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- $full | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gatehouse.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "gatehouse.selector" . }}
{{- end -}}
