{{- define "clawbench.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "clawbench.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "clawbench.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "clawbench.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "clawbench.selector" -}}
app.kubernetes.io/name: {{ include "clawbench.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "clawbench.labels" -}}
{{ include "clawbench.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "clawbench.serviceAccountName" -}}
{{- default (include "clawbench.fullname" .) .Values.serviceAccount.name }}
{{- end }}

{{- /* Reference of an image. The argument is a list of the root context and the image's values. */ -}}
{{- define "clawbench.image" -}}
{{- $root := index . 0 }}{{ $image := index . 1 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default $root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* The images that the operator uses in Pods, as JSON. */ -}}
{{- define "clawbench.imagesJson" -}}
{{- $root := . }}
{{- $harnesses := dict }}
{{- range $name, $image := .Values.images.harnesses }}
{{- if $image }}{{ $_ := set $harnesses $name (include "clawbench.image" (list $root $image)) }}{{ end }}
{{- end }}
{{- dict
  "recorder" (include "clawbench.image" (list . .Values.images.recorder))
  "browser" (include "clawbench.image" (list . .Values.images.browser))
  "judge" (include "clawbench.image" (list . .Values.images.judge))
  "harnesses" $harnesses | toJson }}
{{- end }}
