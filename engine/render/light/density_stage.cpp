#include "engine/render/light/density_stage.h"

namespace kiln {

DensityStage::DensityStage(Device& device, const OutputPlan& plan, double unit, FarPlan far)
    : device_(device), plan_(plan), far_(std::move(far)) {
  products_a_bucket = far_.worth_products();
  const std::size_t sources = std::size_t(source_count(plan.density_grid)),
                    cells = std::size_t(cell_count(plan.density_grid));
  thresholds_ = DeviceArray<std::uint64_t>(device, density_thresholds(plan.density, unit));
  std::vector<DensityKernel> kernels = plan.density.kernels;
  // GatherDensity asks for the reach of the first near width: there may be none
  kernels.push_back({0, 0});
  kernels_ = DeviceArray<DensityKernel>(device, kernels);
  coefficients_ = DeviceArray<float>(device, plan.density.coefficients);
  scaled_ = DeviceArray<Vec4>(device, sources);
  widths_ = DeviceArray<std::uint16_t>(device, sources);
  cell_widths_ = DeviceArray<std::uint16_t>(device, cells);
  if (!far_.active()) return;
  cell_near_ = DeviceArray<std::uint16_t>(device, cells);
  cell_far_ = DeviceArray<std::uint16_t>(device, cells);
  totals_ = DeviceArray<std::uint64_t>(device, 4);
}

std::uint64_t DensityStage::bytes(const OutputPlan& plan, const FarPlan& far) {
  if (!plan.density.active()) return 0;
  const std::uint64_t cells = std::uint64_t(cell_count(plan.density_grid));
  std::uint64_t bytes = std::uint64_t(source_count(plan.density_grid)) * (sizeof(Vec4) + 2) +
                        cells * 2 + plan.density.coefficients.size() * sizeof(float);
  if (far.active()) bytes += cells * 5 + far.bytes();
  return bytes;
}

/// True if summing the far sources of this pass directly takes more than the transforms are worth.
bool DensityStage::worth_transforms() {
  std::uint64_t products = 0;
  device_.download(&products, totals_.data(), sizeof products);
  const std::uint64_t buckets =
      std::uint64_t(plan_.geometry.width) * std::uint64_t(plan_.geometry.height);
  return products > products_a_bucket * buckets;
}

FarWork DensityStage::far_work() const {
  return {far_.active() ? far_.transformed_cells() : 0, double(products_a_bucket)};
}

void DensityStage::add_far(const DensityGrid& grid, Vec4* far, const HearStage& hear) {
  if (!field_) {
    field_ = std::make_unique<FarField>(device_, far_);
    spans_ = DeviceArray<MaskFar::Span>(device_, far_.spans);
    unsure_ =
        DeviceArray<std::uint8_t>(device_, std::size_t(grid.tiles_x) * std::size_t(grid.tiles_y));
  }
  const auto so_far = [&](double done) {
    if (hear) hear(RenderStage::far, done);
  };
  so_far(0);
  const FarField::Light light =
      field_->run(grid, coefficients_, scaled_.data(), widths_.data(), far, so_far);
  MaskFar mask;
  mask.grid = grid;
  mask.split = far_.split;
  mask.spans = spans_.data();
  mask.widths = widths_.data();
  mask.cell_widths = cell_widths_.data();
  mask.cell_far = cell_far_.data();
  mask.most_sources = far_.most_sources;
  mask.totals = totals_.data();
  mask.trusted = far_.trusted;
  mask.coarse = light.coarse;
  mask.fine = light.fine;
  mask.far = far;
  mask.unsure = unsure_.data();
  device_.launch(mask, mask.block_count());
}

void DensityStage::run(const Buckets& histogram, Vec4* light, bool accumulate,
                       const HearStage& hear) {
  const DensityGrid& grid = plan_.density_grid;
  const DensityTable table{thresholds_.data(), kernels_.data(), coefficients_.data(),
                           plan_.density.last};
  SelectWidth select{histogram,
                     grid,
                     table,
                     plan_.log_curve,
                     plan_.geometry.supersample,
                     scaled_.data(),
                     widths_.data(),
                     cell_widths_.data()};
  if (far_.active()) {
    totals_.clear();
    select.split = far_.split;
    select.cell_near = cell_near_.data();
    select.cell_far = cell_far_.data();
    select.totals = totals_.data();
  }
  device_.launch(select, select.block_count());

  GatherDensity gather{grid,  table,     scaled_.data(), widths_.data(), cell_widths_.data(),
                       light, accumulate};
  used_fft_ = far_.active() && worth_transforms();
  if (used_fft_) {
    Vec4* far = light;
    if (accumulate) {
      if (!far_light_.data()) {
        far_light_ = DeviceArray<Vec4>(
            device_, std::size_t(plan_.geometry.width) * std::size_t(plan_.geometry.height));
      }
      far = far_light_.data();
    }
    add_far(grid, far, hear);
    gather.split = far_.split;
    gather.cell_near = cell_near_.data();
    gather.far = far;
    gather.unsure = unsure_.data();
  }
  if (hear) hear(RenderStage::gather, 0);
  device_.launch(gather, gather.block_count());
}

}  // namespace kiln
