// placeholder: replaced by the elementary functions (see docs/algorithm.md)
#pragma once
#include "kernels/platform.h"
