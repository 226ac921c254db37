module clawbench.local/shim

go 1.24
