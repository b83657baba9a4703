module example.com/siwa

go 1.19
