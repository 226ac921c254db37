module clawbench.local/grab

go 1.24.0

require github.com/jezek/xgb v1.1.1
