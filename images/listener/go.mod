module clawbench.local/listener

go 1.24
